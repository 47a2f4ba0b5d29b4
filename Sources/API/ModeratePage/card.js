/// When an entry came to its list.
const placeOf = data => data.removedAt ?? data.createdAt ?? data.date;

/// One entry of what is listed, made from a template.
class Row {
    constructor(template, data) {
        this.id = data._id;
        this.place = placeOf(data);
        this.li = copyOf(template);
        this.li.dataset.id = data._id;
        this.article = this.li.firstElementChild;
        this.error = this.part('.body > .error');
        this.pick = this.part('.pick') ?? { checked: false, disabled: true };
        this.part('h3').id = 'by-' + data._id;
        this.article.setAttribute('aria-labelledby', 'by-' + data._id);
        this.article.addEventListener('focusin', () => { keys.current = this.id; });
        this.article.addEventListener('click', ({ target }) => {
            const button = target.closest('[data-act]');
            if (button) this.start(button.dataset.act, button);
        });
    }

    part(selector) { return this.article.querySelector(selector); }
    button(act) { return this.part(`[data-act=${act}]`); }

    tick() {
        const time = this.part('time');
        time.textContent = ago(new Date(time.dateTime));
    }

    /// Renders, and keeps the focus when what had it is not shown any more.
    redraw() {
        const { activeElement } = document;
        const hadFocus = this.article.contains(activeElement);
        this.render();
        if (hadFocus && !activeElement.checkVisibility()) this.article.focus();
    }

    show() {
        this.article.focus({ preventScroll: true });
        this.li.scrollIntoView({ block: 'nearest' });
    }
}

/// One comment of the queue. It stays where it is when it is decided about, until the queue is read anew.
class Card extends Row {
    panel = null;                   // what is open below it: the name of its button

    constructor(data) {
        super('card', data);
        this.desk = this.part('.desk');
        this.pick.onchange = () => bulk.render();
        this.update(data);
    }

    get isOpen() { return !this.isGone; }

    /// `null` is a comment that is not there any more. What is left of one says less than what is known already.
    update(data) {
        this.isGone = !data || data.isDeleted;
        if (!this.isGone || !this.data) this.data = data;
        this.redraw();
    }

    render() {
        const { data } = this;
        const name = nameOf(data);
        this.button('person').textContent = name;
        this.button('person').disabled = this.isGone;
        this.pick.setAttribute('aria-label', `Select the comment by ${name}`);
        this.renderFace(name);
        this.part('time').dateTime = data.date;
        this.part('time').title = new Date(data.date).toLocaleString();
        this.tick();
        const link = this.part('.when a');
        const address = addressOf(data.url);
        link.textContent = link.title = data.pageTitle || data.urlId;
        if (address) {
            link.href = address;
            link.hash = data._id;
        }
        this.part('.marks').replaceChildren(...marksOf(data, this.isGone)
            .map(([text, kind]) => element('li', text, kind)));
        if (this.html !== data.commentHTML) this.part('.text').innerHTML = this.html = data.commentHTML;
        const isListedAsGone = view.filter === 'removed';
        this.li.classList.toggle('gone', this.isGone && !isListedAsGone);
        this.li.classList.toggle('settled', isListedAsGone ? !this.isGone : this.isGone || !belongs(data));
        this.renderActs();
    }

    renderFace(name) {
        const face = this.part('.face');
        const { avatarSrc } = this.data;
        if (this.face === (avatarSrc || name)) return;
        this.face = avatarSrc || name;
        if (!avatarSrc || !(addressOf(avatarSrc) || avatarSrc.startsWith('data:image/'))) return paintFace(face, name);
        const image = Object.assign(new Image(), { alt: '', loading: 'lazy', src: avatarSrc });
        image.onerror = () => paintFace(face, name);
        face.replaceChildren(image);
    }

    renderActs() {
        const { data, isGone } = this;
        const words = {
            approval: data.approved ? 'Hide' : 'Approve', spamming: data.isSpam ? 'Not spam' : 'Spam',
            reviewing: data.reviewed ? 'Mark not reviewed' : 'Mark reviewed',
            remove: isGone ? 'Restore' : 'Remove',
            pinning: data.isPinned ? 'Unpin' : 'Pin', locking: data.isLocked ? 'Unlock' : 'Lock',
        };
        for (const [act, word] of Object.entries(words)) this.button(act).textContent = word;
        const isStaff = data.isByAdmin || data.isByModerator;
        for (const button of this.article.querySelectorAll('.acts [data-act]')) {
            const { act } = button.dataset;
            button.hidden = isGone ? act !== 'remove' : act === 'approval' && data.isSpam || act === 'ban' && isStaff
                || act === 'unflag' && !data.flagCount || act === 'edit' && data.isLocked
                || act === 'pinning' && Boolean(data.parentId)
                || act === 'close' && threads.get(data.urlId) !== false
                || act === 'reopen' && threads.get(data.urlId) !== true;
        }
        this.pick.disabled = isGone;
        if (isGone && this.pick.checked) this.unpick();
        this.part('.rest').hidden = isGone || this.button('rest').getAttribute('aria-expanded') !== 'true';
        if (isGone) this.shut();
    }

    unpick() {
        this.pick.checked = false;
        bulk.render();
    }

    /// Does what a button or a key stands for; what goes wrong is told on the card.
    start(act, button = this.button(act)) {
        return attempt(button ?? this.article, this.error, () => {
            if (act === 'person') return person.open(this.data);
            if (act === 'ban') return ban.open([this.data]);
            if (act === 'rest') return this.toggleRest();
            if (act in panels) return this.toggle(act);
            return decide(this, this.meaning(act));
        });
    }

    /// What a button that has two sides does now.
    meaning(act) {
        const { data, isGone } = this;
        return {
            approval: data.approved ? 'hide' : 'approve', spamming: data.isSpam ? 'ham' : 'spam',
            reviewing: data.reviewed ? 'unreview' : 'review', remove: isGone ? 'restore' : 'remove',
            pinning: data.isPinned ? 'unpin' : 'pin', locking: data.isLocked ? 'unlock' : 'lock',
        }[act] ?? act;
    }

    /// What was removed comes back.
    bringBack() { return this.isGone ? decide(this, 'restore') : null; }

    async toggleRest() {
        const isOpen = this.part('.rest').hidden;
        if (isOpen) await learnThread(this.data.urlId);
        this.button('rest').setAttribute('aria-expanded', isOpen);
        this.part('.rest').hidden = !isOpen;
    }

    async toggle(act) {
        const wasOpen = this.panel === act;
        this.shut();
        if (wasOpen) return;
        if (this.part('.rest').hidden) await this.toggleRest();
        const content = await panels[act](this);
        this.shut();
        this.panel = act;
        this.button(act).setAttribute('aria-expanded', 'true');
        this.desk.replaceChildren(content);
        content.querySelector('textarea')?.focus({ preventScroll: true });
        // What is below the field, too: the button that saves.
        content.scrollIntoView({ block: 'nearest' });
    }

    shut() {
        if (!this.panel) return;
        const button = this.button(this.panel);
        const hadFocus = this.desk.contains(document.activeElement);
        this.panel = null;
        button.setAttribute('aria-expanded', 'false');
        this.desk.replaceChildren();
        if (hadFocus) (button.checkVisibility() ? button : this.article).focus();
    }
}

/// Words about a comment's state, each with how it looks.
function marksOf(data, isGone) {
    const state = data.isSpam ? ['Spam', 'bad'] : data.approved ? ['Approved', 'good'] : ['Needs approval', 'due'];
    if (isGone && !data.removedAt) return [['Removed', 'bad']];
    if (isGone) {
        const end = new Date(data.keptUntil).toLocaleDateString('en', { dateStyle: 'medium' });
        const replies = many(data.removedReplyCount, 'reply', 'replies');
        return [
            [`Removed ${ago(new Date(data.removedAt))}`, 'bad'], [`Kept until ${end}`, 'plain'],
            data.removedReplyCount > 0 && [`With ${replies}`, 'plain'], !data.approved || data.isSpam ? state : false,
        ].filter(Boolean);
    }
    return [
        state,
        data.reviewed ? ['Reviewed', 'plain'] : ['Needs review', 'due'],
        data.flagCount > 0 && [many(data.flagCount, 'flag'), 'bad'],
        data.isBannedUser && ['Banned author', 'bad'],
        data.permNotSpam && ['Never spam', 'plain'],
        data.isByAdmin && ['Admin', 'good'],
        data.isByModerator && ['Moderator', 'good'],
        data.anonUserId && ['Guest', 'plain'],
        !data.verified && ['Unverified', 'plain'],
        data.isPinned && ['Pinned', 'plain'],
        data.isLocked && ['Locked', 'plain'],
        data.parentId && ['Reply', 'plain'],
        data.replyCount > 0 && [many(data.replyCount, 'reply', 'replies'), 'plain'],
        data.displayLabel && [data.displayLabel, 'plain'],
        ...(data.badges ?? []).map(badge => [badge.displayLabel || badge.description, 'plain']),
    ].filter(Boolean);
}
