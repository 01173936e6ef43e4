using System.Text.Encodings.Web;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    return Content("<h1>" + HtmlEncoder.Default.Encode(id) + "</h1>", "text/html");
  }
}
