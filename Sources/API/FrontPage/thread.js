/// The greater stands first. The server's own formulas, so that arrivals find their place.
function rankOf({ date, votesUp, votesDown, isPinned, parentId }) {
    const time = Date.parse(date) / 1000;
    const votes = votesUp - votesDown;
    if (isPinned && !parentId) return 1e15;
    if (order !== 'MR') return order === 'NF' ? time : -time;
    return Math.sign(votes) * Math.log10(1 + Math.abs(votes)) + time / 45000;
}

/// The roots of the thread, or the replies to one comment.
class Branch {
    paged = [];                     // ids in the order of the server's pages: the next page begins after the last
    more = false;

    constructor(list, button, parent) {
        Object.assign(this, { list, button, parent });
        button.onclick = () => attempt(button, null, () => this.turnPage());
    }

    take(comments) {
        for (const data of comments) {
            let item = items.get(data._id);
            if (!item) this.place(item = new Item(data, this));
            this.paged.push(data._id);
            item.replies.take(data.children || []);
        }
        this.render();
    }

    arrive(data, isOwn) {
        const item = new Item(data, this);
        if (this.more && !isOwn && !this.follower(item)) {
            this.render();
            return null;
        }
        this.place(item);
        item.li.classList.add('new');
        this.render();
        return item;
    }

    follower(item) {
        return [...this.list.children].find(li => items.get(li.dataset.id).rank < item.rank) ?? null;
    }

    place(item) {
        items.set(item.data._id, item);
        this.list.insertBefore(item.li, this.follower(item));
    }

    async turnPage() {
        const turn = loads;
        held++;
        try {
            const answer = await read({ parentId: this.parent?.data._id, afterCommentId: this.paged.at(-1) });
            if (turn !== loads) return;
            if (!answer.comments.length && answer.hasMore && this.paged.pop()) return await this.turnPage();
            const first = answer.comments.find(comment => !items.has(comment._id));
            this.take(answer.comments);
            this.more = answer.hasMore;
            if (this.parent && !this.more) this.parent.data.childCount = this.list.children.length;
            this.render();
            if (first) items.get(first._id).article.focus({ preventScroll: true });
        } finally {
            release();
        }
    }

    render() {
        if (this.parent) {
            const left = this.parent.data.childCount - this.list.children.length;
            this.more = left > 0;
            const which = this.list.children.length ? `${left} more` : left;
            this.button.textContent = `Show ${which} ${left === 1 ? 'reply' : 'replies'}`;
        } else {
            this.button.textContent = 'Load more';
        }
        this.button.hidden = !this.more;
    }
}

class Item {
    constructor(data, branch) {
        this.branch = branch;
        this.depth = branch.parent ? branch.parent.depth + 1 : 0;
        this.li = copyOf('item');
        this.li.dataset.id = data._id;
        this.article = this.li.firstElementChild;
        this.replies = new Branch(this.li.querySelector('.replies'), this.li.querySelector('.more'), this);
        this.part('h3').id = 'by-' + data._id;
        this.article.setAttribute('aria-labelledby', 'by-' + data._id);
        this.article.addEventListener('click', ({ target }) => {
            const button = target.closest('[data-act]');
            if (button) this.start(button.dataset.act);
        });
        this.update(data);
        this.rank = rankOf(this.data);
    }

    part(selector) { return this.article.querySelector(selector); }
    button(act) { return this.part(`[data-act=${act}]`); }
    get path() { return `${thread}/${encodeURIComponent(this.data._id)}`; }

    update(data) {
        this.data = { childCount: 0, votesUp: 0, votesDown: 0, ...this.data, ...data };
        this.render();
    }

    render() {
        const data = this.data;
        const name = data.isDeleted ? 'Deleted' : data.commenterName || 'Somebody';
        const html = data.isDeleted ? 'This comment was deleted.' : data.commentHTML;
        const parent = this.branch.parent;
        this.part('h3').textContent = name;
        paintFace(this.part('.face'), name);
        this.part('time').dateTime = data.date;
        this.part('time').title = new Date(data.date).toLocaleString();
        this.renderTime();
        this.part('.tag').textContent = [
            this.depth > 3 && `to ${parent.data.commenterName}`, data.displayLabel, data.anonUserId && 'guest',
            data.isPinned && 'pinned', data.isLocked && 'locked', data.approved === false && 'awaits approval',
        ].filter(Boolean).join(' · ');
        if (this.html !== html) this.part('.text').innerHTML = this.html = html;
        this.li.classList.toggle('gone', Boolean(data.isDeleted));
        this.renderActs(name);
    }

    renderTime() { this.part('time').textContent = ago(new Date(this.data.date)); }

    renderActs(name) {
        const data = this.data;
        const isOpen = !data.isLocked && !data.isDeleted;
        const isOwn = isOpen && me && me.id === data.userId;
        const votes = [['up', data.votesUp, data.isVotedUp], ['down', data.votesDown, data.isVotedDown]];
        for (const [act, count, isMine] of votes) {
            const button = this.button(act);
            button.hidden = Boolean(data.isDeleted);
            button.setAttribute('aria-pressed', Boolean(isMine));
            button.setAttribute('aria-label', `Vote ${act}, ${count} so far`);
            button.lastElementChild.textContent = count || '';
        }
        this.button('reply').hidden = !isOpen || isClosed;
        this.button('reply').setAttribute('aria-label', `Reply to ${name}`);
        this.button('edit').hidden = !isOwn;
        this.button('remove').hidden = !isOwn;
    }

    start(act) {
        return attempt(this.button(act), this.part('.acts + .error'), () => this.act(act));
    }

    async act(act) {
        if (!me) {
            const isKnown = await ask($('who'));
            const self = items.get(this.data._id);      // signing on has loaded the thread anew
            self?.button(act).focus();
            if (isKnown && self) await self.start(act);
        } else if (act === 'up' || act === 'down') {
            await this.vote(act);
        } else if (act === 'remove') {
            await this.remove();
        } else {
            await this.toggleForm(act);
        }
    }

    async vote(way) {
        const held = this.data.isVotedUp ? 'up' : this.data.isVotedDown ? 'down' : null;
        if (held === way) {
            await write('DELETE', `${this.path}/vote/${this.data.myVoteId}`);
            return this.tally(way, -1, null);
        }
        const body = { voteDir: way, url: location.href, commenterEmail: null, commenterName: null };
        const { voteId } = await write('POST', `${this.path}/vote`, body);
        if (held) this.tally(held, -1, null);
        this.tally(way, 1, voteId);
    }

    /// A vote came or went; `voteId` is undefined for somebody else's.
    tally(way, change, voteId) {
        const [count, mark] = way === 'up' ? ['votesUp', 'isVotedUp'] : ['votesDown', 'isVotedDown'];
        const isMine = voteId !== undefined && { [mark]: change > 0, myVoteId: voteId };
        this.update({ [count]: this.data[count] + change, ...isMine });
    }

    async remove() {
        if (!await ask($('sure'), 'comment')) return;
        const { hardRemoved, comment } = await write('DELETE', this.path);
        total--;
        if (hardRemoved) this.leave();
        else this.update({ ...comment, isDeleted: true });
        renderFrame();
        say('Comment deleted');
    }

    /// Takes the comment and what stands below it off the page; the focus, if it was there, goes to a neighbour.
    leave() {
        const neighbour = this.li.nextElementSibling ?? this.li.previousElementSibling ?? this.branch.parent?.li;
        const hadFocus = this.li.contains(document.activeElement);
        for (const li of [this.li, ...this.li.querySelectorAll('.comment')]) items.delete(li.dataset.id);
        this.li.remove();
        this.branch.paged = this.branch.paged.filter(id => id !== this.data._id);
        if (this.branch.parent) this.branch.parent.missReply();
        else this.branch.render();
        if (hadFocus) (neighbour ? neighbour.firstElementChild : $('title')).focus();
    }

    /// There is one reply less, shown or not.
    missReply() {
        this.data.childCount--;
        this.replies.render();
    }

    async toggleForm(act) {
        const wasOpen = this.form?.act === act;
        this.shutForm();
        if (wasOpen) return this.button(act).focus();
        const key = act + this.data._id;
        const isEdit = act === 'edit';
        const text = drafts.get(key) ?? (isEdit ? await this.source() : '');
        this.form = makeForm({
            label: isEdit ? 'Your comment' : `Your reply to ${this.data.commenterName}`, text,
            button: isEdit ? 'Save' : 'Reply',
            send: async text => {
                if (isEdit) {
                    const { comment } = await write('POST', this.path + '/update-text', { comment: text });
                    this.update(comment);
                } else {
                    await post(text, this.data._id);
                }
                drafts.delete(key);
                this.shutForm();
                if (isEdit) this.button(act).focus();
            },
            cancel: () => {
                if (isEdit) drafts.delete(key);
                this.toggleForm(act);
            },
            keep: text => drafts.set(key, text),
        });
        this.form.act = act;
        this.button(act).setAttribute('aria-expanded', 'true');
        this.part('.text').hidden = isEdit;
        this.part('.desk').replaceChildren(this.form);
        this.form.area.focus();
    }

    /// The text as its author wrote it.
    async source() {
        return (await call('GET', this.path + '/text', { sso: signOn(me) })).commentText;
    }

    shutForm() {
        if (!this.form) return;
        this.button(this.form.act).setAttribute('aria-expanded', 'false');
        this.part('.text').hidden = false;
        this.form.remove();
        this.form = null;
    }
}
