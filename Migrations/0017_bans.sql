-- Who may not write. A row has all identities that one decision meant; times are milliseconds.
CREATE TABLE ban (
    id           TEXT    NOT NULL PRIMARY KEY,
    tenant_id    TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    created_at   BIGINT  NOT NULL,
    -- The moderator, by the key that votes and flags are kept under.
    banned_by    TEXT    NOT NULL,
    -- What was written.
    comment_text TEXT    NOT NULL,
    username     TEXT,
    -- Whoever is banned does not learn it.
    is_shadow    INTEGER NOT NULL,
    -- NULL is for ever.
    until        BIGINT,
    -- Wire id of a person or guest.
    user_key     TEXT,
    -- As moderators read it: an address, or `*@` and a domain.
    email        TEXT,
    -- An address as comments have it; NULL for a domain.
    email_key    TEXT,
    -- Everybody who has an address there.
    email_domain TEXT,
    address_hash TEXT,
    reason       TEXT
);
CREATE INDEX ban_by_date ON ban (tenant_id, created_at, id);
CREATE INDEX ban_by_user ON ban (tenant_id, user_key) WHERE user_key IS NOT NULL;
CREATE INDEX ban_by_email ON ban (tenant_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX ban_by_email_domain ON ban (tenant_id, email_domain) WHERE email_domain IS NOT NULL;
CREATE INDEX ban_by_address ON ban (tenant_id, address_hash) WHERE address_hash IS NOT NULL;

-- What a ban was before it was replaced or changed, so that this can be taken back. The columns are those of `ban`.
CREATE TABLE ban_before AS SELECT * FROM ban WHERE false;
CREATE UNIQUE INDEX ban_before_by_id ON ban_before (tenant_id, id);

-- Which bans hit which comments; one may be hit by a ban more than once. Those whose time is over are in it too.
CREATE VIEW comment_ban (comment_seq, tenant_id, ban_id, is_shadow, until) AS
SELECT c.seq, c.tenant_id, b.id, b.is_shadow, b.until
FROM comment AS c JOIN ban AS b ON b.tenant_id = c.tenant_id AND b.user_key = c.author_key
UNION ALL
SELECT c.seq, c.tenant_id, b.id, b.is_shadow, b.until
FROM comment AS c JOIN ban AS b ON b.tenant_id = c.tenant_id AND b.email_key = c.email_key
UNION ALL
SELECT c.seq, c.tenant_id, b.id, b.is_shadow, b.until
FROM comment AS c JOIN ban AS b ON b.tenant_id = c.tenant_id AND b.email_domain = c.email_domain
UNION ALL
SELECT c.seq, c.tenant_id, b.id, b.is_shadow, b.until
FROM comment AS c JOIN ban AS b ON b.tenant_id = c.tenant_id AND b.address_hash = c.address_hash;

-- Comments that are still to be removed because of a ban, and how far that is.
CREATE TABLE ban_sweep (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id    TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    user_key     TEXT,
    email_key    TEXT,
    email_domain TEXT,
    address_hash TEXT,
    -- Only older ones.
    before_seq   BIGINT NOT NULL
);

-- What a moderator chose last.
CREATE TABLE ban_preference (
    tenant_id     TEXT    NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    moderator_key TEXT    NOT NULL,
    by_email      INTEGER NOT NULL,
    by_address    INTEGER NOT NULL,
    is_shadow     INTEGER NOT NULL,
    duration      TEXT    NOT NULL,
    PRIMARY KEY (tenant_id, moderator_key)
);
