-- What a user of a tenant says besides name, address and roles: a JSON object with the names of the API.
ALTER TABLE account ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';
-- Where the browser goes once the link has signed somebody in; NULL is the user's own page.
ALTER TABLE account_login_link ADD COLUMN redirect_url TEXT;

-- Who is to get a link to sign in. The link is made when it is sent, so nothing in here opens a session.
CREATE TABLE login_letter (
    account_id   TEXT   NOT NULL PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    tenant_id    TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    -- Who invites them to moderate; NULL is no invitation.
    from_name    TEXT,
    redirect_url TEXT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX login_letter_by_tenant ON login_letter (tenant_id);

-- People whom a backend deleted, as long as sign-on data from before is valid: it brings no rights back.
CREATE TABLE person_tombstone (
    tenant_id  TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    id         TEXT   NOT NULL,
    deleted_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX person_tombstone_by_age ON person_tombstone (deleted_at);

-- Whom a tenant lets moderate is kept in memory with it. Their figures are not.
CREATE TRIGGER moderator_added AFTER INSERT ON moderator BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER moderator_changed AFTER UPDATE OF email, user_id, has_accepted, moderation_groups ON moderator BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER moderator_removed AFTER DELETE ON moderator BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;
CREATE INDEX moderator_by_creation ON moderator (tenant_id, created_at, id);

-- A tenant that another one made, whose keys may act for it.
ALTER TABLE tenant ADD COLUMN parent_id TEXT;
-- What the operator notes of it: a JSON object of texts.
ALTER TABLE tenant ADD COLUMN meta TEXT NOT NULL DEFAULT '{}';
CREATE INDEX tenant_by_parent ON tenant (parent_id, created_at, id) WHERE parent_id IS NOT NULL;

-- Tenants that nobody can reach any more, whose rows go little by little.
CREATE TABLE tenant_removal (
    tenant_id TEXT   NOT NULL PRIMARY KEY REFERENCES tenant (id) ON DELETE CASCADE,
    asked_at  BIGINT NOT NULL
);
-- Whatever else is being written of them: without a version they stay out of reach.
CREATE TRIGGER tenant_stays_removed AFTER INSERT ON tenant_change
WHEN EXISTS (SELECT 1 FROM tenant_removal WHERE tenant_id = new.tenant_id) BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
END;

-- Keys that open the server-to-server API and sign nothing: kept as hashes. Days are whole days since 1970, UTC.
CREATE TABLE api_token (
    id               TEXT   NOT NULL PRIMARY KEY,
    tenant_id        TEXT   NOT NULL REFERENCES tenant (id) ON DELETE CASCADE,
    key_hash         TEXT   NOT NULL UNIQUE,
    first_characters TEXT   NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT,
    last_used_day    BIGINT
);
CREATE INDEX api_token_by_tenant ON api_token (tenant_id, created_at, id);
CREATE TRIGGER api_token_added AFTER INSERT ON api_token BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER api_token_changed AFTER UPDATE OF expires_at ON api_token BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER api_token_removed AFTER DELETE ON api_token BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;
