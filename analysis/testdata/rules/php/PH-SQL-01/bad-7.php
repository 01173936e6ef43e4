<?php
function find($id) {
    global $wpdb;
    return $wpdb->get_results("SELECT * FROM {$wpdb->posts} WHERE post_author = " . $id); // ← here
}
find($_REQUEST['author']);
