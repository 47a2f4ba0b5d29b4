-- The newest change to each tenant: to its row, its keys or its settings. Each tenant has one from the beginning. A version
-- is never used twice, so whoever keeps a tenant in memory knows by it whether that is still true, in this program or
-- another. Triggers, so that no change can forget it. Takes the place of settings_change.
DROP TRIGGER tenant_settings_given;
DROP TRIGGER tenant_settings_changed;
DROP TRIGGER setting_rule_added;
DROP TRIGGER setting_rule_changed;
DROP TRIGGER setting_rule_removed;
DROP TABLE settings_change;

CREATE TABLE tenant_change (
    version   INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id TEXT    NOT NULL UNIQUE REFERENCES tenant (id) ON DELETE CASCADE
);
INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant;

CREATE TRIGGER tenant_added AFTER INSERT ON tenant BEGIN
    INSERT INTO tenant_change (tenant_id) VALUES (new.id);
END;

CREATE TRIGGER tenant_changed AFTER UPDATE ON tenant
WHEN (new.name, new.owner_email, new.domains, new.allows_simple_sso, new.settings)
    IS NOT (old.name, old.owner_email, old.domains, old.allows_simple_sso, old.settings) BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.id);
END;

CREATE TRIGGER setting_rule_added AFTER INSERT ON setting_rule BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;

CREATE TRIGGER setting_rule_changed AFTER UPDATE ON setting_rule BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;

-- Rules and keys also go with their tenant, and then there is nobody who changed.
CREATE TRIGGER setting_rule_removed AFTER DELETE ON setting_rule BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;

CREATE TRIGGER api_key_added AFTER INSERT ON api_key BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;

CREATE TRIGGER api_key_changed AFTER UPDATE ON api_key BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.tenant_id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.tenant_id);
END;

CREATE TRIGGER api_key_removed AFTER DELETE ON api_key BEGIN
    DELETE FROM tenant_change WHERE tenant_id = old.tenant_id;
    INSERT INTO tenant_change (tenant_id) SELECT id FROM tenant WHERE id = old.tenant_id;
END;
