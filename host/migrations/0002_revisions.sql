-- Every revision that is served, that a conversation may need, or that is kept to go back to.
CREATE TABLE revisions (
    name         TEXT NOT NULL,
    revision     INTEGER NOT NULL,
    digest       TEXT NOT NULL REFERENCES components (digest),
    uploaded_at  INTEGER NOT NULL, -- milliseconds since the Unix epoch
    needed_until INTEGER,          -- likewise: until when conversations may need it; NULL while it is served
    PRIMARY KEY (name, revision)
);

CREATE UNIQUE INDEX served ON revisions (name) WHERE needed_until IS NULL;

INSERT INTO revisions (name, revision, digest, uploaded_at) SELECT name, revision, digest, uploaded_at FROM handlers;
DROP TABLE handlers;
