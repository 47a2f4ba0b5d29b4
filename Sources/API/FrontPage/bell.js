/// What happened to somebody's comments, wherever that was.
const bell = {
    list: [],
    count: 0,
    hasMore: false,
    timer: 0,

    show(count) {
        this.count = count;
        const badge = $('bell').lastElementChild;
        badge.textContent = count > 99 ? '99+' : count;
        badge.hidden = !count;
        $('bell').hidden = !me;
        $('bell').setAttribute('aria-label', count ? `Notifications, ${count} new` : 'Notifications');
    },

    ring(notice) {
        say(this.sentence(notice));
        this.count++;
        this.refresh();
    },

    /// Counts anew, as other devices of the same person change things too; several causes in one go.
    refresh() {
        clearTimeout(this.timer);
        this.timer = setTimeout(async () => {
            if (!me) return;
            if ($('notices').open) await this.load();
            else this.show((await call('GET', '/user-notifications/get-count', this.query())).count);
        }, 100);
    },

    query(more) { return { tenantId: tenant, sso: signOn(me), ...more }; },

    async load(after) {
        const answer = await call('GET', '/user-notifications', this.query({
            urlId: page, includeContext: true, pageSize: 20, afterId: after?._id,
            afterCreatedAt: after && Date.parse(after.createdAt),
        }));
        this.list = after ? [...this.list, ...answer.notifications] : answer.notifications;
        this.hasMore = answer.hasMore;
        $('subscribe').checked = answer.isSubscribed;
        this.render();
        // Whoever looks at them has noticed them, which is not yet having read them.
        if (!this.count) return;
        await call('POST', '/user-notifications/reset-count', this.query());
        this.show(0);
    },

    sentence({ type, fromUserName, fromUserNames = [], count = 1 }) {
        const who = fromUserName || fromUserNames[0] || 'Somebody';
        const others = count > 1 ? ` and ${count - 1} more` : '';
        return who + others + ({
            0: ' replied to you', 1: ' replied in a thread of yours', 2: ' voted for your comment',
            3: ' commented on a page you follow', 7: ' mentioned you',
        }[type] ?? ' did something');
    },

    render() {
        $('no-notices').hidden = this.list.length > 0;
        $('more-notices').hidden = !this.hasMore;
        $('all-read').hidden = this.list.every(notice => notice.viewed);
        $('notice-list').replaceChildren(...this.list.map(notice => {
            const li = copyOf('notice');
            const [link, text, button] = li.children;
            li.classList.toggle('unread', !notice.viewed);
            link.textContent = this.sentence(notice);
            link.href = `?tenant=${encodeURIComponent(tenant)}&urlId=${encodeURIComponent(notice.urlId)}`;
            link.onclick = () => { this.mark(notice, true); };
            text.innerHTML = notice.contextHTML ?? '';
            button.textContent = notice.viewed ? 'Mark unread' : 'Mark read';
            button.onclick = () => attempt(button, $('notices').querySelector('.error'), async () => {
                await this.mark(notice, !notice.viewed);
                this.render();
            });
            return li;
        }));
    },

    async mark(notice, isRead) {
        const path = `/user-notifications/${encodeURIComponent(notice._id)}/mark/${isRead ? 'read' : 'unread'}`;
        await call('POST', path, this.query());
        notice.viewed = isRead ? 'true' : '';
    },

    start() {
        const dialog = $('notices');
        const error = dialog.querySelector('.error');
        $('bell').onclick = () => {
            dialog.showModal();
            attempt($('bell'), error, () => this.load());
        };
        $('more-notices').onclick = () => attempt($('more-notices'), error, () => this.load(this.list.at(-1)));
        $('all-read').onclick = () => attempt($('all-read'), error, async () => {
            await call('POST', '/user-notifications/reset', this.query());
            await this.load();
        });
        $('subscribe').onchange = ({ target }) => attempt(target, error, async () => {
            const state = target.checked ? 'subscribe' : 'unsubscribe';
            await call('POST', '/user-notifications/set-subscription-state/' + state, this.query({
                urlId: page, url: location.href, pageTitle: document.title,
            }));
        });
    },
};
