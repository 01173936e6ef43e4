using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly XmlDocument document;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var node = document.SelectSingleNode("//user[@name='" + id + "']"); // ← here
    return Ok(node?.InnerText);
  }
}
