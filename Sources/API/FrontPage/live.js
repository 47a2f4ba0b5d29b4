const live = { line: null, who: null, token: '', time: 0 };
const waiting = [];                 // events that arrived while an answer was on its way
let held = 0;

/// Where the socket of a room opens. The room's name comes encoded already.
function socketOf(room, token, tenant) {
    return `/sub?urlId=${room}&userIdWS=${encodeURIComponent(token)}&tenantIdWS=${encodeURIComponent(tenant)}`;
}

function follow({ urlIdWS, userIdWS, tenantIdWS, lastGenDate }) {
    if (!urlIdWS) return showState('Live updates are off');
    const who = me ? me.id : '';
    const isNew = live.who !== who;
    // With a socket open, what the answer holds and what was pushed meanwhile cannot be told apart by time.
    if (isNew || !live.line.isOpen) live.time = Math.max(live.time, lastGenDate);
    if (!isNew) return;
    const last = live.line;
    live.who = who;
    live.token = userIdWS;
    live.line = new Line(socketOf(urlIdWS, userIdWS, tenantIdWS), {
        opened() {
            showState('Live');
            catchUp();
        },
        heard(event) {
            if (passing[event.type]) passing[event.type](event);
            else if (held) waiting.push(event);
            else apply(event);
        },
        lost() { showState('Reconnecting…'); },
    });
    last?.hangUp();
}

function showState(text) {
    if ($('live').textContent !== text) $('live').textContent = text;
    $('live').dataset.live = text === 'Live' ? 'yes' : 'no';
    if (text !== 'Live') people.count(null);
}

/// What happened between the last event heard and the opening of the socket.
async function catchUp() {
    held++;
    try {
        const { events } = await call('GET', '/event-log/' + encodeURIComponent(tenant), {
            urlId: page, userIdWS: live.token, startTime: live.time,
        });
        if (events.length > 500) await load();
        else waiting.unshift(...events.map(event => JSON.parse(event.data)));
    } catch {
        await load().catch(() => {});
    } finally {
        release();
    }
}

function release() {
    held--;
    if (!held) waiting.splice(0).forEach(apply);
}

/// The times of a page's events only ever grow, so one that was heard twice is known by its time.
function apply(event) {
    if (event.timestamp <= live.time) return;
    live.time = event.timestamp;
    if (sent.has(event.broadcastId) || !(event.type in events)) return;
    events[event.type](event);
    renderFrame();
}

/// Events that no log keeps: what they say is true whenever they come.
const passing = {
    'p-u'({ sc }) { people.count(sc); },
    'page-react'({ changes, broadcastId }) { if (!sent.has(broadcastId)) reactions.take(changes); },
    'notification'({ notification }) { bell.ring(notification); },
    'notification-update'() { bell.refresh(); },
};

const events = {
    'new-comment'({ comment, timestamp }) {
        if (items.has(comment._id)) return;
        comment.date = new Date(timestamp).toISOString();       // the event's own date has no fraction
        if (added(comment, false)) say(`${comment.commenterName} ${comment.parentId ? 'replied' : 'commented'}`);
    },
    'updated-comment'({ comment }) {
        const item = items.get(comment._id);
        if (!item) return;
        if (comment.isDeleted && !item.data.isDeleted) total--;
        const isMoved = comment.isPinned !== item.data.isPinned;
        item.update({ ...comment, date: item.data.date });
        if (!isMoved) return;
        item.rank = rankOf(item.data);
        item.branch.place(item);
    },
    'deleted-comment'({ comment }) {
        total--;
        const item = items.get(comment._id);
        if (!item) return items.get(comment.parentId)?.missReply();
        const unsent = [...item.li.querySelectorAll('textarea')].map(area => area.value.trim()).filter(Boolean);
        item.leave();
        if (!unsent.length) return;
        composer.area.value = [composer.area.value, ...unsent].filter(Boolean).join('\n\n');
        say('The comment you were writing at was deleted. Your text was moved to the first text field.');
    },
    'new-vote'({ vote }) { tallyLive(vote, 1); },
    'deleted-vote'({ vote }) { tallyLive(vote, -1); },
    'thread-state-change'(event) {
        isClosed = event.isClosed;
        items.forEach(item => item.render());
    },
};

function tallyLive(vote, change) {
    const isMine = me && vote.userId === me.id;
    items.get(vote.commentId)?.tally(vote.direction > 0 ? 'up' : 'down', change, isMine ? vote._id : undefined);
}

/// Counts a new comment and shows it, if it falls into the part that is shown.
function added(comment, isOwn) {
    total++;
    const parent = items.get(comment.parentId);
    if (comment.parentId && !parent) return null;
    if (parent) parent.data.childCount++;
    return (parent ? parent.replies : roots).arrive(comment, isOwn);
}
