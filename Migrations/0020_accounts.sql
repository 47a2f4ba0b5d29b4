-- Users of a tenant sign in with a password or with a link that works once. Whoever was there before owns the tenant.
ALTER TABLE account ADD COLUMN password_hash TEXT;
-- Bits: 1 owner, 2 administrator, 4 moderation, 8 keys, 16 data, 32 looks, 64 figures, 128 billing, 256 help.
ALTER TABLE account ADD COLUMN roles INTEGER NOT NULL DEFAULT 1;
ALTER TABLE account ADD COLUMN last_login_at BIGINT;
ALTER TABLE account ADD COLUMN login_count BIGINT NOT NULL DEFAULT 0;

CREATE TABLE account_login_link (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    account_id TEXT   NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX account_login_link_by_account ON account_login_link (account_id);

-- Addresses of those who run a tenant are kept in memory with it.
CREATE TRIGGER account_added AFTER INSERT ON account BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER account_changed AFTER UPDATE OF email, roles ON account BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;
CREATE TRIGGER account_removed AFTER DELETE ON account BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;
