-- One file in the folder `uploads`: an image in one size. There is a row for each file, and a file for each row.
CREATE TABLE upload (
    -- Of the file, and unguessable.
    name       TEXT    NOT NULL PRIMARY KEY,
    tenant_id  TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- The id of the person or guest; null when nobody said who they are.
    owner_key  TEXT,
    -- The page that was named, if any.
    url_id     TEXT,
    media_type TEXT    NOT NULL,
    byte_count BIGINT  NOT NULL,
    width      INTEGER NOT NULL,
    height     INTEGER NOT NULL,
    created_at BIGINT  NOT NULL
);
CREATE INDEX upload_by_tenant ON upload (tenant_id, created_at);
