exports.span = (pan, zoom) => { console.log(pan.x, zoom) }
