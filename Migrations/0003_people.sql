-- Somebody known by single sign-on. `id` is the wire id, `<tenant>:<id given by the site>`.
CREATE TABLE person (
    tenant_id                   TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    id                          TEXT    NOT NULL,
    is_simple                   INTEGER NOT NULL,
    username                    TEXT    NOT NULL,
    email                       TEXT,
    display_name                TEXT,
    display_label               TEXT,
    avatar                      TEXT,
    website_url                 TEXT,
    group_ids                   TEXT,
    is_admin                    INTEGER NOT NULL DEFAULT 0,
    is_moderator                INTEGER NOT NULL DEFAULT 0,
    is_activity_private         INTEGER,
    is_comments_private         INTEGER,
    is_dm_disabled              INTEGER,
    opted_in_notifications      INTEGER,
    opted_in_subscriptions      INTEGER,
    locale                      TEXT,
    badge_config                TEXT,
    -- Lower case, for look-ups without regard to case.
    username_key                TEXT    NOT NULL,
    display_key                 TEXT    NOT NULL,
    email_key                   TEXT,
    -- Digest of the sign-on data last applied: equal means nothing to write.
    payload_digest              TEXT,
    -- When it was signed, milliseconds: what was signed earlier is not applied any more.
    payload_signed_at           BIGINT  NOT NULL DEFAULT 0,
    created_at                  BIGINT  NOT NULL,
    updated_at                  BIGINT  NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX person_by_username ON person (tenant_id, username_key);
CREATE INDEX person_by_display ON person (tenant_id, display_key);
CREATE INDEX person_by_email ON person (tenant_id, email_key);

-- Somebody without sign-on. `id` is the wire id, `anon:<random>`; the session token is kept as a hash only.
CREATE TABLE guest (
    tenant_id    TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    id           TEXT   NOT NULL,
    token_hash   TEXT   NOT NULL,
    name         TEXT,
    email        TEXT,
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX guest_by_token ON guest (tenant_id, token_hash);
