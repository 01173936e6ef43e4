from django.core.exceptions import PermissionDenied

def purge(request):
    if not request.user.is_staff:
        raise PermissionDenied
    return clear()
