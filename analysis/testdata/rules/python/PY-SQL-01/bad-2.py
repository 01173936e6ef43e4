from django.db import connection
from django.views import View

class Search(View):
    def get(self, request):
        word = request.GET.get('word')
        with connection.cursor() as cursor:
            cursor.execute("select id from items where title like '%%%s%%'" % word)  # ← here
            return cursor.fetchone()
