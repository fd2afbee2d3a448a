"""JSON Schemas that are part of the product; editors may use them too."""
