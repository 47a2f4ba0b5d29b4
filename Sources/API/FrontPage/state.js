const tenant = '{{tenant}}';
const page = new URLSearchParams(location.search).get('urlId') || 'hello';
const at = path => path + '/' + encodeURIComponent(tenant);
const thread = at('/comments');

let me = recall();                  // {username, email}; with the server's id once it has answered
let order = document.querySelector('[name=sort]:checked').value;    // a browser may restore an earlier choice
let total = 0;
let isClosed = false;
let loads = 0;                      // a slower answer to an earlier question is dropped
const items = new Map();            // comment id → Item
const drafts = new Map();           // what was written in forms that are shut
