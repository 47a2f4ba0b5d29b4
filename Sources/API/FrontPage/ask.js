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
