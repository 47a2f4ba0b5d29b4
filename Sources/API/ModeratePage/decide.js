const setting = (word, name, value, more) => id =>
    change('POST', `set-comment-${word}-status/${id}`, { [name]: value, ...more });

/// What can be decided about one comment: how it is done, what it is called afterwards, and, where reading the former
/// state is not enough to take it back, how that is done.
const decisions = {
    approve: { done: 'Approved', run: setting('approval', 'approved', true) },
    hide: { done: 'Hidden', run: setting('approval', 'approved', false) },
    spam: { done: 'Marked as spam', run: setting('spam', 'spam', true) },
    ham: { done: 'Marked as not spam', run: setting('spam', 'spam', false) },
    review: { done: 'Marked as reviewed', run: setting('review', 'reviewed', true) },
    unreview: { done: 'Marked as not reviewed', run: setting('review', 'reviewed', false) },
    remove: { done: 'Removed', run: id => change('POST', `remove-comment/${id}`), back: id => restore(id) },
    restore: { done: 'Restored', run: id => restore(id), back: id => change('POST', `remove-comment/${id}`) },
    pin: { done: 'Pinned', run: id => mark(id, 'pin'), back: id => mark(id, 'unpin') },
    unpin: { done: 'Unpinned', run: id => mark(id, 'unpin'), back: id => mark(id, 'pin') },
    lock: { done: 'Locked', run: id => mark(id, 'lock'), back: id => mark(id, 'unlock') },
    unlock: { done: 'Unlocked', run: id => mark(id, 'unlock'), back: id => mark(id, 'lock') },
    unflag: { done: 'Cleared the flags of', run: id => change('POST', `un-flag-comment/${id}`), isFinal: true },
    close: {
        done: 'Closed the thread of', run: (id, { urlId }) => setClosed(urlId, true),
        back: (id, { urlId }) => setClosed(urlId, false),
    },
    reopen: {
        done: 'Reopened the thread of', run: (id, { urlId }) => setClosed(urlId, false),
        back: (id, { urlId }) => setClosed(urlId, true),
    },
};

const restore = id => change('POST', `restore-deleted-comment/${id}`);

async function setClosed(urlId, isClosed) {
    await change('PUT', isClosed ? 'close-thread' : 'reopen-thread', { urlId });
    noteThread(urlId, isClosed);
}

function decide(card, name) {
    return undo.busyWith(finish(card, name));
}

async function finish(card, name) {
    const before = card.data;
    const { done, isFinal } = decisions[name];
    await decisions[name].run(card.id, before);
    await refresh([card.id]);
    const what = `${done} the comment by ${nameOf(before)}`;
    say(what);
    if (!isFinal) undo.remember(what, [card.id], () => takeBack(name, before));
    queue.recount();
}

/// Undoes a decision about a comment that was like this before.
async function takeBack(name, before) {
    const { back } = decisions[name];
    if (back) await back(before._id, before);
    else await putBack(before);
}

/// Makes a comment's state what it was. What was spam goes back in one call: what waited must not be shown in between.
/// An approval marks the comment reviewed, so that comes last.
async function putBack(before) {
    const id = before._id;
    let now = (await fetched([id])).get(id);
    if (!now) throw new Error('The comment is not there any more.');
    if (now.isSpam !== before.isSpam) {
        const { isSpam: spam, permNotSpam, approved, reviewed } = before;
        return change('POST', `set-comment-spam-status/${id}`, { spam, permNotSpam, approved, reviewed });
    }
    if (now.approved !== before.approved) {
        await change('POST', `set-comment-approval-status/${id}`, { approved: before.approved });
        now = (await fetched([id])).get(id);
    }
    if (now.reviewed !== before.reviewed) {
        await change('POST', `set-comment-review-status/${id}`, { reviewed: before.reviewed });
    }
}

/// What was done on this page, the last at the end.
const undo = {
    stack: [],
    jobs: new Set(),                // decisions on their way: what is undone is the last one, even when it is not done

    busyWith(job) {
        this.jobs.add(job);
        return job.finally(() => this.jobs.delete(job));
    },

    /// `back` undoes it.
    remember(what, ids, back) {
        this.stack.push({ what, ids, back });
        if (this.stack.length > 100) this.stack.shift();
        this.render();
    },

    render() {
        const last = this.stack.at(-1);
        $('undo').hidden = !last;
        $('undo').textContent = 'Undo';
        $('undo').title = last?.what ?? '';
        $('undo').setAttribute('aria-label', last ? `Undo: ${last.what}` : 'Undo');
    },

    async last() {
        await Promise.allSettled(this.jobs);
        const last = this.stack.at(-1);
        if (!last) return say('There is nothing to undo');
        try {
            await last.back();
        } catch (problem) {
            // What the server refuses once it refuses again, and must not stand in the way of what was done before.
            if (problem.status >= 500 || !problem.status) throw problem;
            if (problem.code !== 'not-logged-in') this.drop(last);
            throw problem;
        }
        this.drop(last);
        await refresh(last.ids);
        say(`Undone: ${last.what}`);
        if (last.ids.length === 1) cards.get(last.ids[0])?.show();
        this.render();
        queue.recount();
    },

    drop(entry) {
        this.stack.splice(this.stack.indexOf(entry), 1);
        this.render();
    },

    start() { $('undo').onclick = () => this.run(); },

    run() { return attempt($('undo'), $('list-error'), () => this.last()); },
};
