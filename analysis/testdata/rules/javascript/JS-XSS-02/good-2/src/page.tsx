import DOMPurify from 'dompurify'
document.body.innerHTML = DOMPurify.sanitize(location.hash)
