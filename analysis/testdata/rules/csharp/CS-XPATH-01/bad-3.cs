using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  private readonly XmlDocument document;
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var nodes = document.SelectNodes($"//order[@id='{Request.Query["order"]}']"); // ← here
    return Ok(nodes?.Count);
  }
}
