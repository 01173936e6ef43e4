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
    var reader = new XmlTextReader(Request.Body) { DtdProcessing = DtdProcessing.Ignore };
    while (reader.Read()) { }
    return Ok();
  }
}
