<?php
assert($_POST['check']); // ← here
