-- Every component that a handler refers to, once.
CREATE TABLE components (
    digest TEXT NOT NULL PRIMARY KEY,
    wasm   BLOB NOT NULL
);

-- What is served, by name.
CREATE TABLE handlers (
    name        TEXT NOT NULL PRIMARY KEY,
    revision    INTEGER NOT NULL,
    digest      TEXT NOT NULL REFERENCES components (digest),
    uploaded_at INTEGER NOT NULL -- milliseconds since the Unix epoch
);
