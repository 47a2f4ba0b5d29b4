-- A tenant is one customer site: its own people, pages, keys and settings.
CREATE TABLE tenant (
    id                TEXT    NOT NULL PRIMARY KEY,
    name              TEXT    NOT NULL,
    owner_email       TEXT,
    domains           TEXT    NOT NULL DEFAULT '[]',
    allows_simple_sso INTEGER NOT NULL DEFAULT 1,
    settings          TEXT    NOT NULL DEFAULT '{}',
    created_at        BIGINT  NOT NULL
);

-- The key signs secure single sign-on, so it is kept as it is. Several may be active while one is being rotated.
CREATE TABLE api_key (
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    key        TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (tenant_id, key)
);

CREATE TABLE account (
    id         TEXT   NOT NULL PRIMARY KEY,
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    email      TEXT   NOT NULL UNIQUE,
    name       TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX account_by_tenant ON account (tenant_id);

CREATE TABLE account_session (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    account_id TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX account_session_by_account ON account_session (account_id);
