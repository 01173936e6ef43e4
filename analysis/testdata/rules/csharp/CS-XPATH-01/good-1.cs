using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly XDocument document;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var node = document.Descendants("user").FirstOrDefault(each => each.Attribute("name")?.Value == id);
    return Ok(node?.Value);
  }
}
