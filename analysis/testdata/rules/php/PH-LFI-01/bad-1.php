<?php
include $_GET['page'] . '.php'; // ← here
