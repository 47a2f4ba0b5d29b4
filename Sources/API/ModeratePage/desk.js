const tenant = document.body.dataset.tenant;
const base = '/auth/my-account/moderate-comments/mod_api/';
const sent = new Set();             // broadcast ids of our own changes: their echoes are ignored
const cards = new Map();            // id → Row

/// What is looked through: part of the page's address, so that it can be shared.
const view = { filter: '', words: '', order: 'newest', narrow: null, from: null };

/// Calls the moderators' API.
async function api(method, path, query = {}, body) {
    return guarded(call(method, base + path, { tenantId: tenant, ...query }, body));
}

/// A session that ended leads to signing in, and back here.
async function guarded(answer) {
    try {
        return await answer;
    } catch (problem) {
        if (problem.code === 'not-logged-in') {
            $('again').href = '/auth/my-account?to=' + encodeURIComponent(location.pathname + location.search);
            if (!$('ended').open) $('ended').showModal();
        }
        throw problem;
    }
}

/// A change, whose echo is told from what others do.
async function change(method, path, query, body) {
    return api(method, path, { broadcastId: stamp(), ...query }, body);
}

function stamp() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const id = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
    sent.add(id);
    return id;
}

/// Pins, unpins, locks or unlocks, which readers' pages have routes for.
function mark(id, act) {
    const path = `/comments/${encodeURIComponent(tenant)}/${encodeURIComponent(id)}/${act}`;
    return guarded(call('POST', path, { tenantId: tenant, broadcastId: stamp() }));
}

/// The comments with these ids that are there, by id.
async function fetched(ids) {
    const found = new Map();
    for (let start = 0; start < ids.length; start += 200) {
        const { comments } = await api('POST', 'comments-by-ids', {}, { ids: ids.slice(start, start + 200) });
        for (const comment of comments) found.set(comment._id, comment);
    }
    return found;
}

/// Reads the shown ones of these comments again.
async function refresh(ids) {
    const shown = ids.filter(id => cards.get(id) instanceof Card);
    if (!shown.length) return;
    const found = await fetched(shown);
    for (const id of shown) cards.get(id)?.update(found.get(id) ?? null);
}

function textOf(html) {
    return new DOMParser().parseFromString(html, 'text/html').body.textContent;
}

function element(name, text, ...names) {
    const node = document.createElement(name);
    node.textContent = text;
    node.classList.add(...names);
    return node;
}

const many = (count, one, more = one + 's') => `${count} ${count === 1 ? one : more}`;
const nameOf = comment => comment.commenterName || 'Somebody';

/// Only addresses that lead somewhere.
function addressOf(text) {
    try {
        const url = new URL(text);
        return ['http:', 'https:'].includes(url.protocol) ? url.href : null;
    } catch {
        return null;
    }
}
