-- What judges new comments is a part of the tenant that servers keep in memory.
DROP TRIGGER tenant_changed;
CREATE TRIGGER tenant_changed AFTER UPDATE ON tenant
WHEN (new.name, new.owner_email, new.domains, new.allows_simple_sso, new.settings, new.moderation)
    IS NOT (old.name, old.owner_email, old.domains, old.allows_simple_sso, old.settings, old.moderation) BEGIN
    DELETE FROM tenant_change WHERE tenant_id = new.id;
    INSERT INTO tenant_change (tenant_id) VALUES (new.id);
END;
