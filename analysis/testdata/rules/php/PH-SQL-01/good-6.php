<?php
global $wpdb;
$wpdb->get_results($wpdb->prepare("SELECT * FROM {$wpdb->posts} WHERE post_author = %d", $_GET['author']));
