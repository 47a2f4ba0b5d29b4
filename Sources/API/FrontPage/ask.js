/// A list in the query is the same name several times; a form goes as it is, anything else as JSON.
async function call(method, path, query, body) {
    const pairs = Object.entries(query).filter(([, value]) => value != null)
        .flatMap(([name, value]) => [value].flat().map(one => name + '=' + encodeURIComponent(one)));
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const content = body instanceof FormData ? { body } : body && json;
    const response = await fetch(path + '?' + pairs.join('&'), { method, ...content }).catch(() => {
        throw new Error('The server cannot be reached.');
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const text = answer.translatedError || answer.reason || `The server answered ${response.status}.`;
    throw Object.assign(new Error(text), { status: response.status });
}

function signOn(person) {
    return person && JSON.stringify({ simpleSSOUser: { username: person.username, email: person.email } });
}

function read(query, person = me) {
    return call('GET', thread, {
        urlId: page, direction: order, asTree: true, countChildren: true,
        limit: 20, limitChildren: 10, maxTreeDepth: 5, sso: signOn(person), ...query,
    });
}

const sent = new Set();             // broadcast ids of our own changes: their echoes are ignored

async function write(method, path, body, query) {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const broadcastId = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
    sent.add(broadcastId);
    try {
        return await call(method, path, { urlId: page, broadcastId, sso: signOn(me), ...query }, body);
    } catch (problem) {
        sent.delete(broadcastId);   // should it have been done after all, the log will tell
        throw problem;
    }
}

async function load(person = me) {
    const turn = ++loads;
    held++;
    try {
        const answer = await read({ countAll: true, includeNotificationCount: true }, person);
        if (turn !== loads) return;
        me = person && { ...person, id: answer.user.id };
        total = answer.commentCount;
        isClosed = answer.isClosed;
        items.clear();
        roots.list.replaceChildren();
        roots.paged = [];
        roots.more = answer.hasMore;
        roots.take(answer.comments);
        follow(answer);
        renderFrame();
        bell.show(answer.notificationCount ?? 0);
    } finally {
        release();
    }
    // What stands beside the thread may fail by itself.
    await Promise.allSettled([reactions.load(), feed.load()]);
}
