<?php
extract(['name' => 'x']);
