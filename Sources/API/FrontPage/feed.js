/// The posts of the whole tenant, newest first.
const feed = {
    kinds: [['l', '👍', 'Like'], ['h', '❤️', 'Love'], ['f', '😄', 'Funny']],
    limit: 10,
    posts: new Map(),               // id → the list item, which holds `data` and `own`
    line: null,
    who: null,
    news: 0,
    loads: 0,

    query(more) { return { limit: this.limit, sso: signOn(me), ...more }; },

    async load() {
        const turn = ++this.loads;
        const answer = await call('GET', at('/feed-posts'), this.query({ includeUserInfo: true }));
        if (turn !== this.loads) return;
        this.posts.clear();
        $('posts').replaceChildren();
        this.take(answer);
        this.showNews(0);
        this.follow(answer);
    },

    async turnPage() {
        const turn = this.loads;
        const answer = await call('GET', at('/feed-posts'), this.query({ afterId: [...this.posts.keys()].at(-1) }));
        if (turn === this.loads) this.take(answer);
    },

    take({ feedPosts, myReacts = {} }) {
        for (const data of feedPosts) {
            if (!this.posts.has(data._id)) $('posts').append(this.item(data, myReacts[data._id]));
        }
        $('more-posts').hidden = feedPosts.length < this.limit;
        this.renderFrame();
    },

    follow({ urlIdWS, userIdWS, tenantIdWS }) {
        const who = me ? me.id : '';
        if (!urlIdWS || this.who === who) return;
        const last = this.line;
        let isFirst = true;
        this.who = who;
        this.line = new Line(socketOf(urlIdWS, userIdWS, tenantIdWS), {
            // No log keeps the events of the feed: what was missed is read.
            opened: () => {
                if (!isFirst) this.load().catch(() => {});
                isFirst = false;
            },
            heard: event => { if (!sent.has(event.broadcastId)) this.events[event.type]?.(event); },
            lost() {},
        });
        last?.hangUp();
    },

    events: {
        'new-feed-post'({ feedPost }) {
            if (feed.posts.has(feedPost._id)) return;
            feed.showNews(feed.news + 1);
            say(`${feedPost.fromUserDisplayName || 'Somebody'} posted`);
        },
        'updated-feed-post'({ feedPost }) { feed.update(feedPost._id, feedPost); },
        'deleted-feed-post'({ postId }) { feed.remove(postId); },
        'fr'({ feedPostReact }) { feed.count(feedPostReact); },
        'dfr'({ feedPostReact }) { feed.count(feedPostReact); },
    },

    showNews(count) {
        this.news = count;
        $('new-posts').hidden = !count;
        $('new-posts').textContent = `Show ${count} new ${count === 1 ? 'post' : 'posts'}`;
        $('feed-news').textContent = count || '';
    },

    count({ postId, reactType, count }) {
        const li = this.posts.get(postId);
        if (li) this.update(postId, { reacts: { ...li.data.reacts, [reactType]: count } });
    },

    update(id, change) {
        const li = this.posts.get(id);
        if (!li) return;
        Object.assign(li.data, change);
        this.render(li);
    },

    remove(id) {
        this.posts.get(id)?.remove();
        this.posts.delete(id);
        this.renderFrame();
    },

    renderFrame() { $('no-posts').hidden = this.posts.size > 0; },

    // ---- One post

    item(data, own = {}) {
        const li = copyOf('post');
        Object.assign(li, { data, own: new Set(Object.keys(own).filter(kind => own[kind])) });
        this.posts.set(data._id, li);
        li.querySelector('h3').id = 'post-' + data._id;
        li.firstElementChild.setAttribute('aria-labelledby', 'post-' + data._id);
        const acts = li.querySelector('.acts');
        const error = li.querySelector('.error');
        acts.prepend(...this.kinds.map(([kind, sign]) => {
            const button = copyOf('reaction');
            button.dataset.kind = kind;
            button.firstElementChild.textContent = sign;
            button.onclick = () => attempt(button, error, () => this.react(li, kind));
            return button;
        }));
        const remove = li.querySelector('[data-act=remove]');
        remove.onclick = () => attempt(remove, error, async () => {
            if (!await ask($('sure'), 'post')) return;
            await write('DELETE', `${at('/feed-posts')}/${data._id}`);
            this.remove(data._id);
            say('Post deleted');
        });
        this.render(li);
        return li;
    },

    render(li) {
        const { data, own } = li;
        const part = selector => li.querySelector(selector);
        part('h3').textContent = data.fromUserDisplayName || 'Somebody';
        part('time').dateTime = data.createdAt;
        part('time').textContent = ago(new Date(data.createdAt));
        part('.title').textContent = data.title ?? '';
        part('.title').hidden = !data.title;
        part('.text').innerHTML = data.contentHTML ?? '';
        part('.media').replaceChildren(...(data.media ?? []).map(({ sizes, title }) => {
            const image = new Image();
            const size = sizes.find(({ w }) => w >= 480) ?? sizes.at(-1);
            return Object.assign(image, { src: size.src, width: size.w, height: size.h, alt: title ?? '', loading: 'lazy' });
        }));
        part('a').textContent = `${data.commentCount || 'No'} ${data.commentCount === 1 ? 'comment' : 'comments'}`;
        part('a').href = `?tenant=${encodeURIComponent(tenant)}&urlId=post:${data._id}`;
        part('[data-act=remove]').hidden = !me || me.id !== data.fromUserId;
        for (const [kind, , name] of this.kinds) {
            const button = part(`[data-kind=${kind}]`);
            const count = data.reacts?.[kind] ?? 0;
            button.setAttribute('aria-pressed', own.has(kind));
            button.setAttribute('aria-label', `${name}, ${count} so far`);
            button.lastElementChild.textContent = count || '';
        }
    },

    async react(li, kind) {
        if (!me && !await ask($('who'))) return;
        const shown = this.posts.get(li.data._id) ?? li;      // signing on has loaded the feed anew
        const isUndo = shown.own.has(kind);
        await write('POST', `${at('/feed-posts')}/react/${li.data._id}`, { reactType: kind }, { isUndo });
        if (isUndo) shown.own.delete(kind);
        else shown.own.add(kind);
        const count = (shown.data.reacts?.[kind] ?? 0) + (isUndo ? -1 : 1);
        this.update(li.data._id, { reacts: { ...shown.data.reacts, [kind]: Math.max(0, count) } });
    },

    // ---- Writing

    async post(form) {
        if (!me && !await ask($('who'))) return;
        const { title, text, image } = form.elements;
        const body = { title: title.value.trim() || undefined, contentHTML: this.markup(text.value) };
        if (image.files[0]) body.media = [{ title: image.files[0].name, sizes: await this.upload(image.files[0]) }];
        const { feedPost } = await write('POST', at('/feed-posts'), body);
        if (!this.posts.has(feedPost._id)) $('posts').prepend(this.item(feedPost));
        form.reset();
        this.renderFrame();
        say('Posted');
    },

    /// Plain text as HTML.
    markup(text) {
        const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
        return text.trim().replace(/[&<>"]/g, sign => signs[sign]).replace(/\n/g, '<br>');
    },

    async upload(file) {
        const form = new FormData();
        form.append('file', file, file.name);
        return (await call('POST', at('/upload-image'), {
            sizePreset: 'CrossPlatform', urlId: 'FEEDS', sso: signOn(me),
        }, form)).media;
    },

    start() {
        const form = $('post-form');
        form.onsubmit = event => {
            event.preventDefault();
            attempt(event.submitter, form.querySelector('.error'), () => this.post(form));
        };
        $('new-posts').onclick = () => attempt($('new-posts'), null, async () => {
            await this.load();
            $('posts').querySelector('article')?.focus();
        });
        $('more-posts').onclick = () => attempt($('more-posts'), null, () => this.turnPage());
        addEventListener('hashchange', () => this.turn());
        this.turn();
    },

    /// Shows what the address asks for: the feed or the thread.
    turn() {
        if (location.hash && location.hash !== '#feed' && location.hash !== '#thread') return;
        const isFeed = location.hash === '#feed';
        $('feed').hidden = !isFeed;
        $('thread').hidden = isFeed;
        for (const link of document.querySelectorAll('.views a')) {
            if ((link.hash === '#feed') === isFeed) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
    },
};
