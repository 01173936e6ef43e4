document.write('<a href="' + document.location.hash + '">') // ← here
