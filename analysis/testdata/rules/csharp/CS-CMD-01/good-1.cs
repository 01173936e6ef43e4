using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show(string id)
  {
    var start = new ProcessStartInfo("convert");
    start.ArgumentList.Add("--");
    start.ArgumentList.Add(id);
    Process.Start(start);
    return Ok();
  }
}
