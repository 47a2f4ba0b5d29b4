/// What opens below a comment, by the button's name. Each gives an element.
const panels = {
    async edit(card) {
        const form = copyOf('edit');
        const [area, error, foot] = form.children;
        const { comment: source } = await api('GET', `get-comment-text/${card.id}`);
        area.value = source;
        foot.firstElementChild.onclick = () => card.shut();
        form.onkeydown = event => {
            if (event.key === 'Escape') card.shut();
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
        };
        form.onsubmit = event => {
            event.preventDefault();
            attempt(foot.lastElementChild, error, async () => {
                await write(card.id, area.value);
                card.shut();
                undo.remember(`Changed the comment by ${nameOf(card.data)}`, [card.id], () => write(card.id, source));
                say('Saved');
            });
        };
        return form;
    },

    /// What it answers to, and what answers it.
    async context(card) {
        const above = [];
        let parent = card.data.parentId;
        while (parent && above.length < 5) {
            const comment = (await fetched([parent])).get(parent);
            if (!comment) break;
            above.unshift(comment);
            parent = comment.parentId;
        }
        const { comments: below } = await api('GET', `comment-children/${card.id}`);
        const panel = element('div', '', 'panel');
        for (const [title, comments] of [['Above', above], ['Replies', below]]) {
            panel.append(element('h4', title), comments.length ? quotes(comments) : element('p', 'None'));
        }
        return panel;
    },

    async history(card) {
        const { logs } = await api('GET', `logs/${card.id}`);
        const panel = element('div', '', 'panel');
        const list = document.createElement('ol');
        list.setAttribute('role', 'list');
        list.append(...logs.map(({ date, actionName, messageHTML, username }) => {
            const item = document.createElement('li');
            const when = new Date(date);
            const time = Object.assign(element('time', ago(when)), { dateTime: date, title: when.toLocaleString() });
            item.append(element('b', actionName), ' ', time, username ? ` by ${username}` : '',
                element('p', textOf(messageHTML)));
            return item;
        }));
        panel.append(element('h4', 'History'), logs.length ? list : element('p', 'Nothing happened to it yet.'));
        return panel;
    },
};

async function write(id, comment) {
    await change('POST', `set-comment-text/${id}`, {}, { comment });
    await refresh([id]);
}

function quotes(comments) {
    const list = document.createElement('ul');
    list.setAttribute('role', 'list');
    list.append(...comments.map(data => {
        const item = copyOf('quote');
        const [name, time, state] = item.firstElementChild.children;
        name.textContent = nameOf(data);
        time.dateTime = data.date;
        time.textContent = ago(new Date(data.date));
        state.textContent = data.isDeleted ? 'removed' : data.isSpam ? 'spam' : data.approved ? '' : 'needs approval';
        item.lastElementChild.innerHTML = data.commentHTML;
        return item;
    }));
    return list;
}
