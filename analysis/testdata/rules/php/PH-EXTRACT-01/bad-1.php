<?php
extract($_REQUEST); // ← here
