using Microsoft.AspNetCore.Html;

namespace Shop;

public class Orders
{
  public IHtmlContent Title(HttpRequest request)
  {
    return new HtmlString(request.Query["title"]); // ← here
  }
}
