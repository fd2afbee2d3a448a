"""What the rules document calls the folders of a submission (2.1)."""

CLOSED, OPEN = "closed", "open"
DIVISIONS = (CLOSED, OPEN)
RESULTS, SYSTEMS, CODE = "results", "systems", "code"
TRAINING, CHECKPOINTING = "training", "checkpointing"
VECTOR_DATABASE, KV_CACHE = "vector_database", "kv_cache"
DATASIZE, DATAGEN, RUN = "datasize", "datagen", "run"
