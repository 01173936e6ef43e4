<?php
function send($from) {
    mail('us@example.com', 'Hello', 'text', "Reply-To: $from"); // ← here
}
send($_REQUEST['from']);
