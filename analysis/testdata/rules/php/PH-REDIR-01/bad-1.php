<?php
header('Location: ' . $_GET['next']); // ← here
