/// A ban in the list of bans. A lifted one stays where it is until the list is read anew.
class BanRow extends Row {
    isLifted = false;
    isOpen = false;                 // no decision about comments is one about it

    constructor(data) {
        super('ban-row', data);
        this.data = data;
        this.render();
    }

    get name() { return this.data.username || this.data.email || 'Somebody'; }

    render() {
        const { data } = this;
        this.part('h3').textContent = this.name;
        paintFace(this.part('.face'), this.name);
        this.part('time').dateTime = data.createdAt;
        this.part('time').title = new Date(data.createdAt).toLocaleString();
        this.tick();
        this.part('.when bdi').textContent = data.bannedByName || 'somebody who is gone';
        const marks = this.isLifted ? [['Lifted', 'good']] : [[ban.kind(data), 'bad'], [ban.end(data), 'due']];
        this.part('.marks').replaceChildren(
            ...[...marks, ...this.means().map(text => [text, 'plain'])].map(([text, kind]) => element('li', text, kind)));
        this.part('.reason').textContent = data.banReason ? `Reason: ${data.banReason}` : '';
        this.part('.text').textContent = data.bannedCommentText;
        this.button('lift').hidden = this.isLifted;
        this.button('lift').setAttribute('aria-label', `Lift the ban of ${this.name}`);
        this.li.classList.toggle('settled', this.isLifted);
    }

    /// What they are recognised by.
    means() {
        const { userId, email, hasEmailWildcard, ipHash } = this.data;
        return [
            userId && 'Account', email && (hasEmailWildcard ? `Every address at ${email.slice(2)}` : email),
            ipHash && 'Network address',
        ].filter(Boolean);
    }

    start(act, button) { return attempt(button, this.error, () => this.bringBack()); }

    async bringBack() {
        if (this.isLifted) return;
        await ban.lift(this.id);
        this.settle();
        say(`Lifted the ban of ${this.name}`);
        queue.recount();
    }

    settle() {
        this.isLifted = true;
        this.redraw();
    }
}

/// What is looked through besides the comments that are there. Each part tells where the next one begins.
const views = {
    removed: {
        noun: 'removed comment',
        hint: 'Removed comments are kept for 30 days. One that is restored comes back with its replies.',
        nothing: 'Nothing was removed in the last 30 days.',
        make: data => new Card(data),
        news: data => `The comment by ${nameOf(data)} was removed`,
        countShown: async () => '',
        met() {},

        async read(after) {
            const { comments, nextAfter } = await api('GET', 'removed-comments', { count: pageSize, after });
            return { entries: comments, next: nextAfter };
        },
    },

    bans: {
        noun: 'new ban',
        hint: 'Bans that are in force. Whoever is recognised by any of what stands there may not write.',
        nothing: 'There are no bans.',
        search: 'Words of a name, an address, a reason or what was written',
        make: data => new BanRow(data),
        news: data => `${data.username || 'Somebody'} was banned`,

        async countShown() {
            const { totalCount } = await api('GET', 'banned-users', { count: 1, 'text-search': view.words || null });
            return totalCount.toLocaleString('en');
        },

        async read(after) {
            const { bannedUsers, nextAfter } =
                await api('GET', 'banned-users', { count: 200, 'text-search': view.words || null, after });
            return { entries: bannedUsers, next: nextAfter };
        },

        /// Of the newest bans those that are not told of any more were lifted.
        met({ entries, next }) {
            const known = new Set(entries.map(data => data._id));
            for (const row of cards.values()) {
                if (!known.has(row.id) && (!next || row.place > placeOf(entries.at(-1)))) row.settle();
            }
        },
    },
};

const threads = new Map();          // urlId → whether the thread is closed, as far as it was asked for

async function learnThread(urlId) {
    const { isClosed } = await api('GET', 'thread-state', { urlId });
    noteThread(urlId, isClosed);
}

function noteThread(urlId, isClosed) {
    threads.set(urlId, isClosed);
    for (const row of cards.values()) if (row.data.urlId === urlId) row.redraw();
}
