const name = new URLSearchParams(location.search).get('name')
document.getElementById('hello').innerHTML = 'Hello ' + name // ← here
