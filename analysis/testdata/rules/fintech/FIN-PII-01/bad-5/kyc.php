<?php
function check($person) { error_log('bvn ' . $person->bvn); } // ← here
