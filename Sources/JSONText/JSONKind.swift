// JSON as bytes.
