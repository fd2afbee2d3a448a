"""MLPerf Endpoints: the rules of merged trees `<org>/<submission_id>/…`, their arithmetic and their tables."""
