document.body.innerHTML = '<p>' + parseInt(location.hash.slice(1), 10) + '</p>'
