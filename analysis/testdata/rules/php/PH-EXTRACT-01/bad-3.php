<?php
parse_str($_SERVER['QUERY_STRING']); // ← here
