<?php
eval('return 1 + 1;');
