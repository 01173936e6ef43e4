using System.Xml;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var reader = new XmlTextReader(Request.Body); // ← here
    while (reader.Read()) { }
    return Ok();
  }
}
