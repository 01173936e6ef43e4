from django.template import Template, Context
from django.http import HttpResponse

def preview(request):
    text = request.POST['template']
    return HttpResponse(Template(text).render(Context({})))  # ← here
