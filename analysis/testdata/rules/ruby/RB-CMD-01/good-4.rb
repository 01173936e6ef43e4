class ItemsController < ApplicationController
  FORMATS = { 'png' => 'png', 'jpg' => 'jpeg' }.freeze

  def show
    return head(:bad_request) unless FORMATS.key?(params[:format])

    system("convert in.svg out.#{params[:format]}")
  end
end
